import { useRoute } from "../../route/use-route.ts";
import { DecisionList } from "./decision-list.tsx";
import { DecisionPage } from "./decision-page.tsx";

/** One decision where the address names one, else the list of them. */
export function DecisionView() {
  const [id] = useRoute().about;
  return id ? <DecisionPage id={id} /> : <DecisionList />;
}
