/** Pages of help that are no command: `defensible help <topic>`. */
export const HELP_TOPICS: Readonly<Record<string, { does: string; load: () => Promise<() => string> }>> = {
  models: {
    does: "flags of the model and its calls",
    load: async () => (await import("./help-models.js")).modelsHelp,
  },
};

/** The page that arguments ask for; null: they ask for something else. */
export async function askedTopic(args: readonly string[]): Promise<string | null> {
  const [help, name = ""] = args;
  if (help !== "help" || !Object.hasOwn(HELP_TOPICS, name)) return null;
  return (await HELP_TOPICS[name]!.load())();
}
