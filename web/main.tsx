import "./styles/index.css";
import { createRoot } from "react-dom/client";
import { App, DocumentApp } from "./app.tsx";
import { embeddedPage } from "./data/embedded-page.ts";
import { PageContext } from "./data/page-context.ts";
import { Failed, PageGuard } from "./parts/shell/guards.tsx";
import { keepPlace } from "./route/kept-place.ts";
import { keepAddress } from "./route/use-route.ts";
import { applyTheme } from "./styles/theme.ts";

applyTheme(document);
keepAddress();
keepPlace();

const root = createRoot(document.getElementById("root")!);
try {
  const page = await embeddedPage(document);
  root.render(
    <PageGuard>
      {"document" in page ? (
        <DocumentApp page={page} />
      ) : (
        <PageContext value={page}>
          <App />
        </PageContext>
      )}
    </PageGuard>,
  );
} catch (cause) {
  root.render(<Failed cause={cause} />);
}
