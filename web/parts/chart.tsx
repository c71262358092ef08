import { useEffect, useRef } from "react";
import type { Figure } from "../../src/domain/figure.js";
import { drawFigure } from "../draw/draw-figure.ts";
import { BY_VARIABLE } from "../draw/palette.ts";

/** A figure with the finding as its title, its data behind a toggle, and downloads. */
export function Chart({ figure }: { figure: Figure }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const svg = drawFigure(figure, { document, width: 720, palette: BY_VARIABLE, interactive: true });
    place.current?.replaceChildren(svg);
  }, [figure]);
  return (
    <figure className="chart" id={`figure-${figure.id}`}>
      <figcaption>
        <h3>{figure.title}</h3>
      </figcaption>
      <div ref={place} className="chart-drawing" />
    </figure>
  );
}
