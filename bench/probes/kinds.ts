import { type FurtherProtocol, furtherProtocols } from './further.ts'
import { type Protocol, protocols } from './protocols.ts'

/** The kinds that Debian's exporter checks too. */
export const comparedKinds = ['http', 'https', 'tcp', 'dns'] as const
export type ComparedKind = (typeof comparedKinds)[number]
export type Kind = ComparedKind | Protocol | FurtherProtocol
export const kinds: readonly Kind[] = [...comparedKinds, ...protocols, ...furtherProtocols]

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
