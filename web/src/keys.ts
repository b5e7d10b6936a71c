// The keyboard: every key of the help page, none while something is typed into a field.
import { live, startRun, undo, wander } from "./live";
import { advance, enabledShown, filter, goTo, helping, hidden, hide, keys, marked, mattering, nextHit, playing, running, speed, step, tab, tabs, trace } from "./state";

export const HELP: [string, string][] = [
  ["← → or k j", "one step back, one step on; with Shift ten"],
  ["Home End", "first and last step"],
  ["l", "to the start of the loop"],
  ["b", "to the first step where the property is false"],
  ["g", "go to a step by its number"],
  ["Space", "play, pause"],
  ["+ -", "play faster, slower"],
  ["1 to 9", "the tabs"],
  ["/ n N", "search; next and previous hit"],
  ["m", "mark this step: states are then compared with it; again: forget it"],
  ["w", "which steps matter for this one; again: all alike"],
  ["h a", "hide the variable that has the focus; show all again"],
  ["c", "copy this state"],
  ["e", "show or hide what is enabled in a net"],
  ["f", "full screen; of a net, the net alone"],
  ["r x u", "check again; a random step; undo (sweepcheck serve)"],
  ["?", "this list; Esc closes it"],
];

const MOVES: Record<string, () => void> = {
  ArrowLeft: () => goTo(step.value - 1),
  ArrowRight: () => goTo(step.value + 1),
  PageUp: () => goTo(step.value - 1),
  PageDown: () => goTo(step.value + 1),
  Home: () => goTo(0),
  End: () => goTo(Infinity),
  Escape: () => (helping.value = false),
};

const LETTERS: Record<string, () => void> = {
  k: () => goTo(step.value - 1),
  j: () => goTo(step.value + 1),
  K: () => goTo(step.value - 10),
  J: () => goTo(step.value + 10),
  l: () => trace.value?.loop != null && goTo(trace.value.loop),
  b: () => trace.value?.data.bad != null && goTo(trace.value.data.bad),
  g: () => document.getElementById("goto")?.focus(),
  n: () => nextHit(1),
  N: () => nextHit(-1),
  m: () => (marked.value = marked.value === step.value ? null : step.value),
  w: () => (mattering.value = mattering.value === null ? step.value : null),
  h: hideFocused,
  a: () => {
    hidden.value = new Set();
    filter.value = "";
  },
  c: copyState,
  e: () => (enabledShown.value = !enabledShown.value),
  f: fullScreen,
  r: () => live.value && !running.value && void startRun(),
  u: () => live.value && undo(),
  x: () => live.value && trace.value && void wander(1, ""),
  "+": () => (speed.value = Math.min(8, speed.value * 2)),
  "-": () => (speed.value = Math.max(0.25, speed.value / 2)),
  "?": () => (helping.value = !helping.value),
};

function hideFocused(): void {
  const name = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["variable"] : undefined;
  if (name !== undefined) hide(name);
}

export function copyState(): void {
  const now = trace.value;
  if (!now) return;
  const pairs = now.names.map((name) => `${JSON.stringify(name)}: ${now.valueText(name, step.value)}`);
  void navigator.clipboard?.writeText(`{${pairs.join(", ")}}`).catch(() => undefined);
}

/** The net alone where it is shown, else the whole page. */
export function fullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void (document.querySelector(".nettab") ?? document.documentElement).requestFullscreen?.().catch(() => undefined);
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches("input, textarea, select") || target.isContentEditable);
}

function pressed(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) {
    if (event.key === "Escape") (event.target as HTMLElement).blur();
    return;
  }
  const onButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary, [role=tab]") !== null;
  if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    goTo(step.value + (event.key === "ArrowRight" ? 10 : -10));
  } else if (event.key in MOVES) {
    MOVES[event.key]!();
  } else if (event.key === " " && !onButton && trace.value) {
    playing.value = !playing.value;
  } else if (keys.value && event.key === "/") {
    document.getElementById("search")?.focus();
  } else if (keys.value && /^[1-9]$/.test(event.key)) {
    const wanted = tabs.value[Number(event.key) - 1];
    if (wanted) tab.value = wanted;
  } else if (keys.value && event.key in LETTERS) {
    LETTERS[event.key]!();
  } else {
    return;
  }
  event.preventDefault();
}

export function listen(): void {
  addEventListener("keydown", pressed);
  let last = 0;
  const tick = (now: number) => {
    if (playing.value && now - last > 600 / speed.value) {
      last = now;
      advance();
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
