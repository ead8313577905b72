/** Line icons on a grid of 24. */
const PATHS = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M20 20l-4-4",
  answer: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  files: "M4 6h6l2 2h8v11H4z",
  units: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  scopes: "M6 4v12M6 8h6M6 16h6M14 5.5h5v5h-5zM14 13.500h5v5h-5z",
  audit: "M12 3l8 3v6c0 5-3.500 7.500-8 9-4.500-1.500-8-4-8-9V6zM8.500 12l2.500 2.500 4.500-5",
  status: "M3 12h4l3 7 4-14 3 7h4",
  tokens: "M15 9.500a4.500 4.500 0 1 0-3.800 4.400L13 16h2v2h2v2h3v-3l-5.300-5.300c.2-.7.3-1.400.3-2.200zM9.500 9h.01",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14.500A8 8 0 1 1 9.500 4a6.500 6.500 0 0 0 10.500 10.500z",
  system: "M3 5h18v11H3zM8 20h8M12 16v4",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  out: "M10 4H5v16h5M14 8l4 4-4 4M18 12H9",
  chevron: "M7 10l5 5 5-5",
  right: "M10 6l6 6-6 6",
  left: "M14 6l-6 6 6 6",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.500 9h.01",
  sound: "M4 12h2M8 7v10M12 4v16M16 8v8M20 11v2",
  video: "M3 6h13v12H3zM16 10l5-3v10l-5-3",
  page: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  text: "M5 6h14M5 10h14M5 14h14M5 18h8",
  log: "M5 5h14v14H5zM8 9l2.500 2.500L8 14M13 15h4",
  similar: "M9 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10M15 10a5 5 0 1 1-5 5",
  filter: "M4 6h16M7 12h10M10 18h4",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  check: "M5 12.500l4.500 4.500L19 7.500",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  copy: "M8 8h11v12H8zM5 16V4h11",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  upload: "M12 16V5M7 10l5-5 5 5M5 19h14",
  download: "M12 5v11M7 11l5 5 5-5M5 20h14",
  plus: "M12 5v14M5 12h14",
  refresh: "M19 9a7.500 7.500 0 1 0 .5 5M19.500 4v5h-5",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.500 20c1-4 4-6 7.500-6s6.500 2 7.500 6",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v5M12 8h.01",
} as const;
export type IconName = keyof typeof PATHS;

/** Decoration: whatever it stands for is also said in words beside it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
