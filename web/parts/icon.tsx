/** Pictures of 24 by 24, drawn with lines of 1.75; they never say anything alone. */
const paths = {
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  station:
    'M12 13v8M9 21h6M12 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7.8 15.2a6 6 0 0 1 0-8.4M16.2 6.8a6 6 0 0 1 0 8.4M5 18a10 10 0 0 1 0-14M19 4a10 10 0 0 1 0 14',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21a8 8 0 0 1 16 0',
  leave: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  warning: 'M12 4 2.5 20h19zM12 10v4M12 17h.01',
  failure: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9 9l6 6M15 9l-6 6',
  ok: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M8 12.5l2.7 2.7L16 9.5',
  degraded: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 8v8M8.5 12.5 12 16l3.5-3.5',
  paused: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M10 9v6M14 9v6',
  suspended: 'M5 5h14v15H5zM5 10h14M9 3v4M15 3v4',
  unknown: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.7 9.5a2.4 2.4 0 1 1 3.4 2.6c-.8.4-1.1.9-1.1 1.7M12 16.5h.01',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4',
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  up: 'M12 19V6M6 12l6-6 6 6',
  down: 'M12 5v13M6 12l6 6 6-6',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  again: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4',
  silent: 'M6 16V11a6 6 0 0 1 9-5.2M18 11v5l2 2H8M10 21h4M3 3l18 18',
  seen: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  comment: 'M4 5h16v11H11l-4 4v-4H4z',
  report: 'M6 3h9l4 4v14H6zM14 3v5h5M9 17v-3M12.5 17v-6M16 17v-2',
  wall: 'M3 4h18v12H3zM8 20h8M12 16v4M3 10h18M12 4v12',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  down_small: 'M6 9l6 6 6-6',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
