import { createContext, use } from "react";

export interface Me {
  workspace: string;
  platform: string | null;
  name: string;
  role: string | null;
  scopes: string[];
  settings: { blur: boolean; greyscale: boolean; break_minutes: number | null };
  review: { gold_rate: number; break_minutes: number };
}

export const MeContext = createContext<{ me: Me; again: () => void } | null>(null);

export function useMe(): Me {
  return useMeAgain().me;
}

export function useMeAgain(): { me: Me; again: () => void } {
  const found = use(MeContext);
  if (!found) throw new Error("useMe: outside of the signed-in application");
  return found;
}

export const ROLE_NAMES: Readonly<Record<string, string>> = {
  viewer: "Viewer",
  reviewer: "Reviewer",
  policy: "Policy lead",
  admin: "Administrator",
};
