import { useState } from "preact/hooks";
import { asking, ended, live, lost, message, stale, startRun, stopAsking, stopRun, take, undo, wander } from "./live";
import { current, openRun, run, running, snapshots, step, trace } from "./state";

/** Check, stop, how it is going; only where a server is behind the page. */
export function LiveBar() {
  if (!live.value) return null;
  const last = snapshots.value[snapshots.value.length - 1];
  return (
    <div class="bar livebar" role="region" aria-label="the run">
      {running.value ? <button onClick={() => void stopRun()}>stop</button> : <button onClick={() => void startRun()}>check (r)</button>}
      {running.value && <span>{last ? `${last.explored.toLocaleString("en")} states explored, ${last.stored.toLocaleString("en")} stored, ${last.seconds.toFixed(1)} s` : "started"}</span>}
      {asking.value && <span>the model is at work <button title="ends the process that has the model; the next question starts it again" onClick={() => void stopAsking()}>stop it</button></span>}
      <Outcome />
      {stale.value && !running.value && <strong class="warn">{current.value.reference} has changed: check again</strong>}
      {lost.value && <strong class="no">the server does not answer; what is here can still be read</strong>}
      {[ended.value, message.value].filter(Boolean).map((text) => <span class="soft">{text}</span>)}
    </div>
  );
}

/** What the check has found, while something else is looked at. */
function Outcome() {
  const failed = current.value.verdicts.filter((verdict) => verdict.status === "violated").length;
  if (running.value || !failed || !trace.value?.data.explored) return null;
  return <span class="no">✗ {failed} violated <button onClick={() => openRun(run.value)}>show</button></span>;
}

const LISTED = 200; // offers

/** What is possible in the state that is shown, each with what it would change; a click takes it. */
export function Offers() {
  const now = trace.value!;
  const [until, setUntil] = useState("");
  const offers = now.data.offers?.[String(step.value)];
  const failure = now.data.failures?.[String(step.value)];
  if (!offers) return <div class="offers"><div class="bar"><strong>{asking.value ? "The model is at work." : "What is possible here is being asked."}</strong></div></div>;
  const [more, uncounted] = now.data.unlisted?.[String(step.value)] ?? [0, false];
  const unlisted = more + Math.max(0, offers.length - LISTED);
  return (
    <div class="offers">
      {failure && <pre class="no failure">{failure}</pre>}
      <div class="bar">
        <strong>{failure ? "The model fails here." : offers.length ? "Go on from here:" : "Nothing is possible here."}</strong>
        {step.value > 0 && <button title="one step back (u)" onClick={undo}>undo</button>}
        {offers.length > 0 && <button title="x" onClick={() => void wander(1, "")}>random step</button>}
        {offers.length > 0 && (
          <>
            <input aria-label="until" placeholder="an expression" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
            <button onClick={() => void wander(until ? 10000 : 20, until)}>{until ? "random until it is true" : "20 random steps"}</button>
          </>
        )}
      </div>
      <ul>
        {offers.slice(0, LISTED).map((offer) => (
          <li><button onClick={() => void take(offer.label)}>{offer.label}</button> <span class="soft">{offer.changes.join(", ") || "(nothing changes)"}</span></li>
        ))}
        {unlisted > 0 && <li class="soft">and {uncounted ? "at least " : ""}{unlisted.toLocaleString("en")} more, which random steps may take</li>}
      </ul>
    </div>
  );
}
