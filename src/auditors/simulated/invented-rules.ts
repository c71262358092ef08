/** What a simulated auditor cites when it makes a rule up. They speak of bee-keeping, so that no world's rules hold their words. */
export const INVENTED_RULES: readonly string[] = [
  "Section 41c: Hive photographs require a queen marking certificate issued by an accredited apiary inspector within eleven weeks.",
  "Apiary charter 9: Smokers, veils and honey extractors appear solely beneath pinned swarm bulletins until midsummer inspections conclude.",
  "Guideline 77: Propolis anecdotes need corroborating hive ledgers countersigned by two neighbouring beekeepers before nightfall.",
  "Bylaw 13: Drone congregation coordinates stay embargoed throughout mating season unless waggle surveyors consent beforehand.",
];
