const LINES = [
  "Somebody, a person or a model, made decisions under written rules. An auditor asked of each: does it follow from these rules?",
  "That is another question than whether people agree. Under open rules two people can differ and both be right by the rules.",
  "The Defensibility Index (DI) is the share of decisions that follow from the rules. The Ambiguity Index (AI) is the share for which the opposite would follow as well.",
  "A low defensibility says that decisions are wrong or rules are missing; a high pure ambiguity says that the rules do not settle things, and the rest of the ambiguity that decisions are wrong.",
  "Behind a share stand its interval and its counts. The wider the interval, the less is known; few decisions make wide intervals.",
  "“Undefined” is not zero: it means that nothing can be said, and the reason stands beside it.",
  "The auditor can be wrong. Where gold or people have judged too, the summary and the views on calibration and on people say how far to trust it.",
  "The gate says which communities could run on their own, by limits that you can move in the fleet view; all numbers follow.",
  "Words with a dotted line have a definition: point at them, or reach them with the Tab key.",
  "Under every picture are its data as a table, and files to take away. Filters are part of the address, so a link shows what you see.",
] as const;

export function HowToRead() {
  return (
    <section aria-labelledby="how-to-read">
      <h2 id="how-to-read">How to read this report</h2>
      <ol className="how-to-read">
        {LINES.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </section>
  );
}
