/** Counts over the title or the body. */
export interface Zone {
  words: number;
  letters: number;
  capitals: number;
  /** Most words in a row in capitals. */
  capitalsRun: number;
  questionMarks: number;
  /** Most question or exclamation marks in a row. */
  markRun: number;
  emoji: number;
  /** Lines that begin with a dash, a bullet or a number. */
  listItems: number;
  sentences: number;
  characters: number;
}

export function emptyZone(): Zone {
  return {
    words: 0,
    letters: 0,
    capitals: 0,
    capitalsRun: 0,
    questionMarks: 0,
    markRun: 0,
    emoji: 0,
    listItems: 0,
    sentences: 0,
    characters: 0,
  };
}
