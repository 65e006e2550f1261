const themes = ["auto", "light", "dark"] as const;
const key = "protobuf-struct-codec theme";

/** A button that goes through the themes, and remembers. */
export function startThemeSwitch(button: HTMLButtonElement): void {
  let at = Math.max(0, themes.indexOf(readTheme() as (typeof themes)[number]));
  const show = (): void => {
    const theme = themes[at] as string;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    at = (at + 1) % themes.length;
    show();
    writeTheme(themes[at] as string);
  });
  show();
}

// Storage may be switched off; then the theme is that of the system again next time.
function readTheme(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeTheme(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Not remembered, and nothing lost by it.
  }
}
