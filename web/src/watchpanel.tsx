import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import { goTo, step, trace, watches } from "./state";
import { watched } from "./watch";

const meanings = computed(() => (trace.value ? watches.value.map((text) => ({ text, at: watched(trace.value!, text) })) : []));

/** The next step after which an expression has another value. */
function nextChange(at: (step: number) => string): void {
  const now = at(step.value);
  for (let next = step.value + 1; next < trace.value!.length; next++) {
    if (at(next) !== now) return goTo(next);
  }
}

/** Expressions over the state, which stay when the page is loaded again. */
export function Watches() {
  const [typed, setTyped] = useState("");
  const add = () => {
    const text = typed.trim();
    if (text && !watches.value.includes(text)) watches.value = [...watches.value, text];
    setTyped("");
  };
  return (
    <div class="watches">
      {meanings.value.length > 0 && (
        <table class="state" aria-label="watched expressions">
          <tbody>
            {meanings.value.map(({ text, at }) => {
              const [now, before] = [at(step.value), step.value ? at(step.value - 1) : null];
              return (
                <tr class={before !== null && before !== now ? "changed" : ""}>
                  <th scope="row"><span class="sign">{before !== null && before !== now ? "~" : " "}</span><code>{text}</code></th>
                  <td><code>{now}</code>{before !== null && before !== now && <span class="soft"> was <code>{before}</code></span>}</td>
                  <td class="tools">
                    <button title="the next step where it changes" aria-label={`the next step where ${text} changes`} onClick={() => nextChange(at)}>▷</button>
                    <button title="watch it no more" aria-label={`watch ${text} no more`} onClick={() => (watches.value = watches.value.filter((one) => one !== text))}>×</button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <form class="bar" onSubmit={(event) => { event.preventDefault(); add(); }}>
        <input id="watch" aria-label="watch an expression" placeholder="watch: flag[0] and len(box) > 1" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        <button type="submit" disabled={!typed.trim()}>watch</button>
      </form>
    </div>
  );
}
