/** The warnings that keep a service from being checked. The console tells of silence in its own place and words. */
export function obstaclesIn<W extends { readonly warning?: string }>(warnings: readonly W[] = []): readonly W[] {
  return warnings.filter(({ warning }) => warning !== 'nobody_told')
}
