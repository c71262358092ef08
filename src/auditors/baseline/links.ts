export interface Links {
  /** The text with every address replaced by spaces: its words are not the writer's. */
  masked: string;
  count: number;
  /** Links to pictures, and Markdown pictures. */
  images: number;
  /** A code that credits the poster (`?ref=`, `affiliate`). */
  referral: boolean;
  /** The part after the scheme of the first link, or "". */
  first: string;
  /** An address spelled out in words ("name at post dot example"). */
  obscured: boolean;
}

const ADDRESS =
  /!?\[[^\]\n]{0,80}\]\((?:https?:\/\/|www\.)[^\s)]{1,2000}\)|(?:https?:\/\/|\bwww\.)[^\s<>")\]]{1,2000}/gi;
const IMAGE = /\.(?:png|jpe?g|gif|webp|mp4|webm)\b|^!|\/\/(?:img|images|i|pics|photos)\./i;
const REFERRAL = /[?&](?:ref|referral|aff|affiliate|partner|invite|utm_source|code)=|\/(?:ref|aff|invite)\//i;
const OBSCURED = /\b[a-z0-9.]+ (?:dot [a-z0-9]+ )?at [a-z0-9]+ dot [a-z]+/i;

/** Finds links and takes them out of the text. `url` is the address the content itself points to, if any. */
export function findLinks(text: string, url: string | null): Links {
  const links: Links = { masked: text, count: 0, images: 0, referral: false, first: "", obscured: false };
  if (url) addLink(links, url);
  if (text.includes("://") || text.includes("www.")) {
    links.masked = text.replace(ADDRESS, (address) => {
      addLink(links, address);
      return " ".repeat(address.length);
    });
  }
  if (text.includes(" dot ")) links.obscured = OBSCURED.test(text);
  return links;
}

function addLink(links: Links, address: string): void {
  links.count++;
  if (links.first === "") links.first = address.replace(/^.*?:\/\//, "").slice(0, 80);
  if (IMAGE.test(address)) links.images++;
  if (REFERRAL.test(address)) links.referral = true;
}
