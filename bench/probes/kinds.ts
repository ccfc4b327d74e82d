import { protocols } from './protocols.ts'

/** The kinds that Debian's exporter checks too. */
export const comparedKinds = ['http', 'https', 'tcp', 'dns'] as const
export type ComparedKind = (typeof comparedKinds)[number]
export const kinds = [...comparedKinds, ...protocols] as const
export type Kind = (typeof kinds)[number]

export type Once = () => Promise<void>

const concurrency = 20

/** Runs this many repetitions, twenty at a time. */
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
