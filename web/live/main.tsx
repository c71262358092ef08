import "../styles/index.css";
import "./live.css";
import { createRoot } from "react-dom/client";
import { PageGuard } from "../parts/shell/guards.tsx";
import { keepPlace, replaceAddress } from "../route/kept-place.ts";
import { keepAddress } from "../route/use-route.ts";
import { applyTheme } from "../styles/theme.ts";
import { LiveApp } from "./live-app.tsx";

applyTheme(document);
keepAddress();
keepPlace();
if (/^#?\/?$/.test(window.location.hash)) replaceAddress("#/live");

createRoot(document.getElementById("root")!).render(
  <PageGuard>
    <LiveApp />
  </PageGuard>,
);
