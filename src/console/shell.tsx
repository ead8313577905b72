/** What stands around every screen: the way to the others, who one is, and where one looks. */
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Account } from "./account.tsx";
import { target } from "./api.ts";
import { go, linkTo, nameScope, type Place, type ScreenProps, usePlace } from "./router.ts";
import { AnswerScreen } from "./screens/answer.tsx";
import { AuditScreen } from "./screens/audit.tsx";
import { FilesScreen } from "./screens/files.tsx";
import { ScopesScreen } from "./screens/scopes.tsx";
import { SearchScreen } from "./screens/search.tsx";
import { StatusScreen } from "./screens/status.tsx";
import { TokensScreen } from "./screens/tokens.tsx";
import { UnitsScreen } from "./screens/units.tsx";
import { may, type Session, useSession } from "./session.tsx";
import { Empty, Icon, IconButton, type IconName, Mark, toast } from "./ui/index.ts";

interface Screen {
  name: string;
  title: string;
  icon: IconName;
  view: ComponentType<ScreenProps>;
  /** Whether somebody has a use for it; everybody by default. */
  shownTo?(session: Session): boolean;
}

const SCREENS: readonly Screen[] = [
  { name: "search", title: "Search", icon: "search", view: SearchScreen },
  { name: "answer", title: "Answer", icon: "answer", view: AnswerScreen },
  { name: "files", title: "Files", icon: "files", view: FilesScreen },
  { name: "units", title: "Units", icon: "units", view: UnitsScreen },
  { name: "scopes", title: "Scopes", icon: "scopes", view: ScopesScreen },
  { name: "audit", title: "Audit", icon: "audit", view: AuditScreen },
  { name: "status", title: "Status", icon: "status", view: StatusScreen },
  { name: "tokens", title: "Tokens", icon: "tokens", view: TokensScreen, shownTo: (session) => may(session, "admin") },
];

export function Shell() {
  const session = useSession();
  const place = usePlace();
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const current = place.screen === "" ? "search" : place.screen;
  const screen = SCREENS.find(({ name }) => name === current);
  useEffect(() => {
    document.title = screen === undefined ? "Strata" : `${screen.title} · Strata`;
    setMenu(false);
    scrollTo(0, 0);
  }, [current]);
  useScopeOf(place, session);
  useEffect(() => {
    addEventListener("keydown", focusSearch);
    return () => removeEventListener("keydown", focusSearch);
  }, []);
  const View = screen?.view;
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="topbar">
        <span class="only-narrow">
          <IconButton
            label={menu ? "Close the menu" : "Open the menu"}
            icon={menu ? "close" : "menu"}
            aria-expanded={menu}
            onClick={() => setMenu(!menu)}
          />
        </span>
        <a class="brand" href={linkTo(["search"])} aria-label="Strata, start">
          <Mark />
          <span>Strata</span>
        </a>
        <Account />
      </header>
      <nav class={menu ? "sidebar open" : "sidebar"} aria-label="Screens">
        {SCREENS.filter(({ shownTo }) => shownTo?.(session) ?? true).map(({ name, title, icon }) => (
          <a key={name} href={linkTo([name])} aria-current={name === current ? "page" : undefined}>
            <Icon name={icon} />
            {title}
          </a>
        ))}
      </nav>
      {/* Another scope or namespace is another set of things: what a screen has loaded is asked for again. */}
      <main key={`${session.context.principal.namespace} ${session.context.requested_scope}`} id="main" class="main" ref={main} tabIndex={-1}>
        {View === undefined ? (
          <Empty icon="info" title="There is no such screen">
            <p>
              <a href={linkTo(["search"])}>Go to the search</a>
            </p>
          </Empty>
        ) : (
          <View place={place} />
        )}
      </main>
    </div>
  );
}

/** Chooses the scope that the address names, when it is led to another; an address that names none gets the chosen one. */
function useScopeOf({ parameters }: Place, { context, chooseScope }: Session): void {
  const named = parameters.get("scope");
  useEffect(() => {
    if (named === target.scope) return;
    if (named === "*" || (named !== null && context.allowed_scopes.includes(named))) return chooseScope(named);
    if (named !== null) toast(`There is no scope ${named} that you may use.`, "bad");
    nameScope();
  }, [named]);
}

/** The key / goes to the search, from every screen. */
function focusSearch(event: KeyboardEvent): void {
  const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const field = document.querySelector<HTMLElement>("[data-search-field]");
  if (field === null) go(linkTo(["search"]));
  else field.focus();
}
