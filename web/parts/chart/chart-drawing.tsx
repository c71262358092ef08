import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Figure } from "../../../src/core/figure.js";
import { type Chosen, chartModel, type Point } from "../../draw/chart-model.ts";
import { describePlan } from "../../draw/describe.ts";
import { drawFigure, layOut } from "../../draw/draw-figure.ts";
import { BY_VARIABLE } from "../../draw/palette.ts";
import { leastWidth } from "../../draw/text-fit.ts";
import { safeText } from "../../draw/value-text.ts";

/** A narrower chart is unreadable; it scrolls sideways instead. */
const NARROWEST = 300;
const WIDEST = 860;

export interface ChartPick {
  /** Name of the selected point; "" for none. */
  picked: string;
  onPick: (name: string) => void;
}

interface ChartDrawingProps {
  figure: Figure;
  chosen: Chosen;
  pick?: ChartPick | undefined;
}

/** The chart, as wide as its container; redrawn when that changes. */
export function ChartDrawing({ figure, chosen, pick }: ChartDrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const room = useWidth(place);
  const least = useMemo(() => leastWidth(chartModel(figure, chosen)), [figure, chosen]);
  const width = room === 0 ? 0 : Math.min(WIDEST, Math.max(NARROWEST, room, least));
  const picked = pick?.picked ?? "";
  const onPick = pick?.onPick;
  useLayoutEffect(() => {
    if (width === 0 || !place.current) return;
    const svg = drawFigure(figure, { document, width, palette: BY_VARIABLE, interactive: true, chosen, picked });
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", safeText(figure.title));
    svg.setAttribute("aria-description", describePlan(layOut(figure, width, chosen)));
    // Plot labels its groups after marks ("rect", "dot"), which says nothing and is invalid on these elements.
    for (const group of svg.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
    const name = figure.name;
    if (onPick && name) {
      svg.addEventListener("click", () => {
        // Plot keeps the point at the pointer as the chart's value.
        const value = (svg as unknown as { value?: Point | null }).value?.row[name];
        if (typeof value === "string") onPick(value);
      });
    }
    place.current.replaceChildren(svg);
  }, [figure, chosen, width, picked, onPick]);
  return (
    <div
      ref={place}
      className={onPick ? "chart-drawing picks" : "chart-drawing"}
      // A chart wider than its container must also scroll by keyboard.
      tabIndex={width > room ? 0 : undefined}
    />
  );
}

function useWidth(place: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return width;
}
