import notation from "virtual:notation";
import { useMemo } from "react";
import { KEY_TERMS } from "../../../src/present/words/vocabulary.js";
import { found, SearchBox } from "../../parts/controls/choices.tsx";
import { Tabs } from "../../parts/shell/menu.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { useQuery, useRoute } from "../../route/use-route.ts";
import { CountsSection } from "../overview/counts-section.tsx";
import { VOCABULARIES } from "./vocabularies.ts";

const MEANINGS = new Map(notation.map(({ symbol, meaning }) => [symbol, meaning]));

interface Entry {
  term: string;
  /** Another name: a symbol, or the word used in files. */
  also?: string | undefined;
  meaning: string;
  more?: string | undefined;
}

interface Group {
  screen: string;
  title: string;
  about: string;
  entries: readonly Entry[];
}

const SCREENS = [
  { id: "", title: "Method and terms", lead: "How to read the numbers, and what was counted." },
  { id: "measures", title: "Measures", lead: "The numbers of the views, in plain words and by definition." },
  { id: "verdicts", title: "Verdicts", lead: "What an audit says about a decision, or why it says nothing." },
  { id: "gate", title: "Gate", lead: "What decides whether a community may be automated." },
  { id: "audits", title: "Audits", lead: "What is remarked on audits, and why to review a decision." },
  { id: "rules", title: "Rules", lead: "What sort of sentence a rule is, and how much of it is read." },
  { id: "symbols", title: "All symbols", lead: "Every symbol and quantity, in the order of the notation." },
];

const GROUPS: readonly Group[] = [
  {
    screen: "measures",
    title: "What is measured",
    about: "",
    entries: KEY_TERMS.map(({ symbol, name, plain }) => ({ term: name, meaning: plain, more: MEANINGS.get(symbol) })),
  },
  ...VOCABULARIES.map(({ words, ...group }) => ({
    ...group,
    entries: Object.entries(words).map(([key, { name, meaning }]) => ({
      term: name,
      also: writtenAs(group.title, key, name),
      meaning,
    })),
  })),
  {
    screen: "symbols",
    title: "All symbols",
    about: "",
    entries: notation.map(({ symbol, meaning }) => ({ term: symbol, meaning })),
  },
];

/** The word used in files, if it differs. */
function writtenAs(vocabulary: string, key: string, name: string): string | undefined {
  if (vocabulary === "Levels") return `level ${key}`;
  return key.toLowerCase() === name.toLowerCase() ? undefined : key;
}

const HOW_TO_READ = [
  "The Defensibility Index is the share of decisions that follow from the rules, by the auditor's verdicts. The Ambiguity Index is the share whose opposite follows from them too. Neither is agreement with people.",
  "A low Defensibility Index means wrong decisions or missing rules. High pure ambiguity means rules that do not settle things.",
  "Every share has an interval and counts. Few decisions give wide intervals. “Undefined” is not zero: nothing can be said, for the reason given.",
  "The auditor can be wrong: see Trust. Probabilities marked raw are the auditor's own; calibrated ones were fitted to labels.",
  "Words with a dotted line have a definition. Charts have their data as a table and as files. The address holds filters and settings, so a link shows what you see.",
];

/** How the numbers were made, and the report's technical terms: one screen for each kind. */
export function TermsView() {
  const [screen = ""] = useRoute().about;
  const [search] = useQuery("q");
  const shown = SCREENS.find(({ id }) => id === screen) ?? SCREENS[0]!;
  const groups = useMemo(
    () =>
      search === ""
        ? GROUPS.filter((group) => group.screen === shown.id)
        : GROUPS.map((group) => ({
            ...group,
            entries: group.entries.filter((entry) => found(Object.values(entry).join("\n"), search)),
          })).filter(({ entries }) => entries.length > 0),
    [search, shown],
  );
  return (
    <>
      <Tabs label="Method and terms" of={SCREENS} />
      <div className="view terms">
        <h1>{shown.title}</h1>
        <p className="lead">{shown.lead}</p>
        <div className="controls">
          <SearchBox name="q" label="Search terms" placeholder="a word or a symbol" />
        </div>
        {search === "" && shown.id === "" && (
          <>
            <Section id="how-to-read" title="How to read this report">
              <ul className="how-to-read">
                {HOW_TO_READ.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </Section>
            <CountsSection />
          </>
        )}
        {search !== "" && groups.length === 0 && <p role="status">Nothing here contains “{search}”.</p>}
        {groups.map((group) => (
          <TermGroup key={group.title} of={group} under={shown.title} />
        ))}
      </div>
    </>
  );
}

/** `under`: heading of the screen, which is not repeated. */
function TermGroup({ of: { title, about, entries }, under }: { of: Group; under: string }) {
  const terms = (
    <>
      {about && <p className="muted">{about}</p>}
      <dl className="glossary">
        {entries.map(({ term, also, meaning, more }) => (
          <div key={`${term} ${meaning}`}>
            <dt>
              {term}
              {also && <code>{also}</code>}
            </dt>
            <dd>
              {meaning}
              {more && <span className="definition">{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
  if (title === under) return terms;
  return (
    <Section id={`terms-${title.replace(/\W+/g, "-")}`} title={title}>
      {terms}
    </Section>
  );
}
