/** Where the data of a page stand inside it: packed JSON, gzipped, in base64, which has no character that HTML could take for its own. */
export const DATA_ELEMENT = "report-data";
