import { goTo, hits, nextHit, playing, query, speed, step, trace } from "./state";

/** First, back, play, on, last; the step's number; the search. */
export function Transport({ searching = true }: { searching?: boolean }) {
  const now = trace.value!;
  const last = now.length - 1;
  const found = hits.value;
  return (
    <div class="bar">
      <button title="first step (Home)" onClick={() => goTo(0)}>|◀</button>
      <button title="one step back (←)" onClick={() => goTo(step.value - 1)}>◀</button>
      <button title="play (Space)" aria-pressed={playing.value} onClick={() => (playing.value = !playing.value)}>{playing.value ? "⏸" : "▶▶"}</button>
      <button title="one step on (→)" onClick={() => goTo(step.value + 1)}>▶</button>
      <button title="last step (End)" onClick={() => goTo(last)}>▶|</button>
      <label>step <input id="goto" type="number" min={0} max={last} value={step.value} onChange={(event) => goTo(Number(event.currentTarget.value) || 0)} /> of {last}</label>
      <select aria-label="speed" value={speed.value} onChange={(event) => (speed.value = Number(event.currentTarget.value))}>
        {[0.25, 0.5, 1, 2, 4, 8].map((one) => <option value={one}>{one}×</option>)}
      </select>
      {searching && (
        <>
          <input
            id="search"
            type="search"
            placeholder="search: words, x=1, action:send"
            aria-label="search the steps"
            value={query.value}
            onInput={(event) => (query.value = event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && nextHit(event.shiftKey ? -1 : 1)}
          />
          {found && <span class="soft">{found.length} of {now.length} steps</span>}
          {found && <button title="next hit (n)" onClick={() => nextHit(1)}>next</button>}
        </>
      )}
    </div>
  );
}
