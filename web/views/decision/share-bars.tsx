import type { ReactNode } from "react";

export interface ShareBar {
  key: string;
  label: ReactNode;
  share: number;
  /** The number as it is written, marked with where it comes from. */
  number: ReactNode;
  className: string;
}

/** Shares of one whole as bars with their numbers. The numbers say it all; the bars are for the eye. */
export function ShareBars({ name, bars }: { name: string; bars: readonly ShareBar[] }) {
  return (
    <dl className="share-bars" aria-label={name}>
      {bars.map(({ key, label, share, number, className }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <span className="share-track" aria-hidden="true">
              <span
                className={`share-bar ${className}`}
                style={{ inlineSize: `${100 * Math.min(1, Math.max(0, share))}%` }}
              />
            </span>
            {number}
          </dd>
        </div>
      ))}
    </dl>
  );
}
