import { DiffSections } from "./diff-sections.tsx";
import { ScopeSections } from "./scope-sections.tsx";
import { SpecificityLead } from "./specificity-lead.tsx";
import { TierSections } from "./tier-sections.tsx";

/** What the rules' own text does: more or less of it, of the platform or the community, before and after a change. */
export function SpecificityView() {
  return (
    <div className="view">
      <h1>Rule specificity</h1>
      <SpecificityLead />
      <TierSections />
      <ScopeSections />
      <DiffSections />
    </div>
  );
}
