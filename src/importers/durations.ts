const units: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1 },
  ...{ s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 },
}

/** Characters. */
const longestText = 100

/** `1h30m`, `500ms`, `2d` (Go, Prometheus) → milliseconds; null for another text. */
export function readDuration(text: string): number | null {
  const parts = [
    ...text
      .trim()
      .slice(0, longestText)
      .matchAll(/(\d{1,15}(?:\.\d{1,15})?)(ns|us|µs|ms|s|m|h|d|w|y)/g),
  ]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text.trim()) return null
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0), 0)
}
