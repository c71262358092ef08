import { useContentShown } from "./content-shown.ts";

/** The setting that shows audited content on every view. */
export function ShowContent() {
  const [shown, setShown] = useContentShown();
  return (
    <label className="show-content">
      <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} />
      Show content
    </label>
  );
}
