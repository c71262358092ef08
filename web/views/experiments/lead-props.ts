/** The finding of an experiment is the lead of its own page, and a plain paragraph in the overview. */
export interface LeadProps {
  className?: string;
}
