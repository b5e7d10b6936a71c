import { useEffect, useRef } from "preact/hooks";
import { HELP } from "./keys";
import { helping, keys } from "./state";

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="help" onClose={() => (helping.value = false)}>
      <h2 id="help">Keys</h2>
      <table>
        <tbody>
          {HELP.map(([key, meaning]) => (
            <tr>
              <th scope="row"><kbd>{key}</kbd></th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Search</h2>
      <p>
        Words are looked for in labels and changes. <code>at[0]=inside</code> a value, <code>action:enter</code>, <code>changes:flag</code>,{" "}
        <code>step:100-200</code>, <code>false:"one at a time"</code>; several words must all be true.
      </p>
      <label><input type="checkbox" checked={keys.value} onChange={(event) => (keys.value = event.currentTarget.checked)} /> single letters and digits are keys</label>
      <p><button onClick={() => (helping.value = false)}>close</button></p>
    </dialog>
  );
}
