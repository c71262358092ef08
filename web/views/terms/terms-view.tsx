import notation from "virtual:notation";
import { type ReactNode, useMemo } from "react";
import { KEY_TERMS } from "../../../src/present/words/key-terms.js";
import { found, SearchBox } from "../../parts/controls/choices.tsx";
import { useQuery } from "../../route/use-route.ts";
import { CountsSection } from "../overview/counts-section.tsx";
import { HowToRead } from "./how-to-read.tsx";
import { VOCABULARIES } from "./vocabularies.ts";

const MEANINGS = new Map(notation.map(({ symbol, meaning }) => [symbol, meaning]));

interface Entry {
  term: string;
  /** Second name of it: a symbol, or as files write it. */
  also?: string | undefined;
  meaning: string;
  more?: string | undefined;
}

interface Group {
  id: string;
  title: string;
  about: string;
  entries: readonly Entry[];
}

const GROUPS: readonly Group[] = [
  {
    id: "measures",
    title: "What is measured",
    about: "The numbers that the views show, in plain words and as they are defined.",
    entries: KEY_TERMS.map(({ symbol, name, plain }) => ({ term: name, meaning: plain, more: MEANINGS.get(symbol) })),
  },
  ...VOCABULARIES.map(({ id, title, about, words }) => ({
    id,
    title,
    about,
    entries: Object.entries(words).map(([key, { name, meaning }]) => ({
      term: name,
      also: writtenAs(id, key, name),
      meaning,
    })),
  })),
  {
    id: "symbols",
    title: "All symbols",
    about: "Every symbol and quantity of this tool, by its place in the notation.",
    entries: notation.map(({ symbol, meaning }) => ({ term: symbol, meaning })),
  },
];

/** How files write it, where that is another word. */
function writtenAs(vocabulary: string, key: string, name: string): string | undefined {
  if (vocabulary === "levels") return `level ${key}`;
  return key.toLowerCase() === name.toLowerCase() ? undefined : key;
}

/** Every word of the report that is not everyday English. */
export function TermsView() {
  const [search] = useQuery("q");
  const groups = useMemo(
    () =>
      GROUPS.map((group) => ({
        ...group,
        entries: found(group.title, search)
          ? group.entries
          : group.entries.filter((entry) => found(Object.values(entry).join("\n"), search)),
      })).filter(({ entries }) => entries.length > 0),
    [search],
  );
  return (
    <div className="view terms">
      <h1>Method and terms</h1>
      <p className="lead">What was counted, how to read the numbers, and what the words and signs mean.</p>
      {search === "" && (
        <>
          <CountsSection />
          <HowToRead />
        </>
      )}
      <div className="controls">
        <SearchBox name="q" label="Search terms" placeholder="a word or a symbol" />
      </div>
      {groups.length === 0 && <p role="status">Nothing here contains “{search}”.</p>}
      {groups.map(({ id, title, about, entries }) => (
        <section key={id} aria-labelledby={`terms-${id}`}>
          <h2 id={`terms-${id}`}>{title}</h2>
          <p className="muted">{about}</p>
          <Folded when={id === "symbols" && search === ""} words={`Show ${entries.length} symbols`}>
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
          </Folded>
        </section>
      ))}
    </div>
  );
}

/** Long lists stay folded until somebody wants them. */
function Folded({ when, words, children }: { when: boolean; words: string; children: ReactNode }) {
  if (!when) return children;
  return (
    <details>
      <summary>{words}</summary>
      {children}
    </details>
  );
}
