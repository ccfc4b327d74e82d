const everyMs = 1000

/**
 * Calls `onEnd` once when the npx that started this process has ended. npx passes a signal to its shell alone. The
 * shell ends, and the program would go on unnoticed.
 */
export function watchNpx(onEnd: () => void, environment: NodeJS.ProcessEnv = process.env): void {
  if (environment['npm_lifecycle_event'] !== 'npx') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, everyMs)
  timer.unref()
}
