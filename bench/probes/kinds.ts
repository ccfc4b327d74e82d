export const kinds = ['http', 'https', 'tcp', 'dns'] as const
export type Kind = (typeof kinds)[number]

export type Once = () => Promise<void>

const concurrency = 20

/** So many repetitions, twenty at a time. */
export async function repeat(once: Once, times: number): Promise<void> {
  let started = 0
  const worker = async (): Promise<void> => {
    while (started < times) {
      started += 1
      await once()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
