/** The work's result, or the signal's reason as soon as it is aborted; the work itself is not stopped. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let leave: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave)
  })
  try {
    if (signal.aborted) leave()
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
