import { useMemo, useState } from "react";
import type { PageDecision, PagePrecedent } from "../../src/measures/report-page.js";
import { plural, whole } from "../../src/present/words/numbers.js";
import { PageContext, usePage } from "../data/page-context.ts";
import { SearchBox, SelectBox } from "../parts/controls/choices.tsx";
import { BlurContent } from "../parts/controls/content-shown.tsx";
import { useQuery, useRoute } from "../route/use-route.ts";
import { LIST_COLUMNS } from "../views/review/decision-table.tsx";
import { FIRST_FILTERS, FilterSelect, VALUE_NAMES } from "../views/review/filters.tsx";
import { Empty, Head, Missing, Pager, Rows } from "./parts.tsx";
import { useMe } from "./person.ts";
import { useFetched } from "./use-fetched.ts";

const PAGE = 50;
const HEADS = LIST_COLUMNS.map(({ name: full, head, align }) => {
  const name = typeof head === "string" ? head : full;
  return align === "right" ? `>${name}` : name;
});
const FILTERS = ["community", "level", "reason", "decision", "inverse", "agreement", "judged", "flag", "rule"] as const;

interface List {
  items: PageDecision[];
  precedents: PagePrecedent[];
  next_cursor: string | null;
  total: number;
  listed: number;
  facets: Record<string, [string, number][]>;
}

/** The report's decisions, filtered and paged by the server. */
export function DecisionsView() {
  const page = usePage();
  const { scopes } = useMe();
  const { query } = useRoute();
  const [order] = useQuery("order", "urgent");
  // Cursors of the previous pages.
  const [trail, setTrail] = useState<{ of: string; cursors: string[] }>({ of: "", cursors: [] });
  const asked = new URLSearchParams({ limit: String(PAGE), order: order === "newest" ? "newest" : "urgent" });
  for (const name of FILTERS) if (query.has(name)) asked.set(name, query.get(name)!);
  if (query.has("q")) asked.set("search", query.get("q")!);
  const filters = asked.toString();
  const cursors = trail.of === filters ? trail.cursors : [];
  const cursor = cursors.at(-1);
  const { data, failed } = useFetched<List>(
    `/v1/page/decisions?${filters}${cursor ? `&cursor=${cursor}` : ""}`,
    20_000,
  );
  const shown = useMemo(
    () => (data ? { ...page, decisions: data.items, precedents: data.precedents } : page),
    [page, data],
  );
  const from = cursors.length * PAGE;
  return (
    <div className="view review">
      <Head title="Which decisions need a review?" lead={data && listedText(data, page.decisions_of)} />
      <Filters facets={data?.facets ?? {}} />
      {scopes.includes("content:read") && (
        <div className="list-tools">
          <BlurContent />
        </div>
      )}
      {!data ? (
        <Missing failed={failed} what="the decisions" />
      ) : data.items.length === 0 ? (
        <Empty title="No decision passes these filters." />
      ) : (
        <PageContext value={shown}>
          <Rows caption={`Decisions ${from + 1} to ${from + data.items.length}`} heads={HEADS}>
            {data.items.map((row) => (
              <tr key={row.id}>
                {LIST_COLUMNS.map(({ key, align, cell, value }) => (
                  <td key={key} className={align === "right" ? "right" : undefined}>
                    {cell ? cell(row) : value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </Rows>
          <Pager
            label="Pages of the list"
            words={["Previous", "Next"]}
            {...{ cursors, next: data.next_cursor, onGo: (next) => setTrail({ of: filters, cursors: next }) }}
          >
            <span aria-live="polite">
              {whole(from + 1)} to {whole(from + data.items.length)} of {whole(data.total)}
            </span>
          </Pager>
        </PageContext>
      )}
    </div>
  );
}

function listedText({ listed, total }: List, of: number | null): string {
  const all =
    of !== null && listed < of
      ? `The ${whole(listed)} most urgent of ${plural(of, "decision")}`
      : `All ${plural(listed, "decision")}`;
  return total === listed ? `${all}.` : `${whole(total)} of ${all.charAt(0).toLowerCase()}${all.slice(1)}.`;
}

/** The report's filters, and two that it folds away. */
const BOXES = [
  ...FIRST_FILTERS.filter(({ of }) => of !== "rule"),
  { of: "inverse", label: "Opposite", all: "Yes or no" },
  { of: "agreement", label: "Agreement", all: "Any" },
] as const;

function Filters({ facets }: { facets: List["facets"] }) {
  const optionsOf = (filter: (typeof BOXES)[number]["of"]) =>
    (facets[filter] ?? []).map(([value, n]) => ({ value, n, name: VALUE_NAMES[filter]?.(value) ?? value }));
  return (
    <div className="controls">
      <SearchBox name="q" label="Search" placeholder="id, text, citation" />
      {BOXES.map(({ of, label, all }) => (
        <FilterSelect key={of} name={of} label={label} all={all} options={optionsOf(of)} />
      ))}
      <Order />
    </div>
  );
}

function Order() {
  const [order, setOrder] = useQuery("order", "urgent");
  return (
    <SelectBox
      label="Order"
      value={order}
      options={[
        { value: "urgent", name: "Most urgent first" },
        { value: "newest", name: "Newest first" },
      ]}
      onChange={setOrder}
    />
  );
}
