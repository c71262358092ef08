import { formatNumber, type NumberForm } from "../../../src/present/words/numbers.js";
import { valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";

/**
 * A number by its JSON pointer, for example `/report/defensibility_index/estimate`. The element has the pointer as an attribute, so that a test can
 * compare every number shown with `report.json`.
 */
export function Num({ at, as = "percent" }: { at: string; as?: NumberForm }) {
  return <Shown value={valueAt(usePage(), at)} as={as} mark={at} />;
}

/** A number computed here; `mark` points to the value that it must equal. */
export function Shown({ value, as = "percent", mark }: { value: unknown; as?: NumberForm; mark?: string | undefined }) {
  if (typeof value !== "number") return <span className="undefined">–</span>;
  return (
    <span className="num" data-number={mark} data-form={as}>
      {formatNumber(value, as)}
    </span>
  );
}

/** A count and its noun: "1 decision", "382 decisions". */
export function Counted({ at, one, many = `${one}s` }: { at: string; one: string; many?: string }) {
  return (
    <>
      <Num at={at} as="whole" /> {valueAt(usePage(), at) === 1 ? one : many}
    </>
  );
}
