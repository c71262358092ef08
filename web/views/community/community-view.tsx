import { usePage } from "../../data/page-context.ts";
import { useRoute } from "../../route/use-route.ts";
import { CommunityIndex } from "./community-index.tsx";
import { CommunityPage } from "./community-page.tsx";

/** One community, or all of them to choose from. */
export function CommunityView() {
  const { report } = usePage();
  const [name] = useRoute().about;
  const place = report.communities.findIndex(({ community }) => community === name);
  return place < 0 ? <CommunityIndex asked={name} /> : <CommunityPage key={name} place={place} />;
}
