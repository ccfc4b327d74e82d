import type { Sent } from '../../api/bodies.ts'
import { readLines } from '../../api/client.ts'
import type { Proposal } from '../../parts/proposal.ts'

/** Which of the two types that a pasted text may mean works; the likelier one if neither or both do. */
export async function workingType(
  { typeId, otherTypeId }: Proposal,
  definition: Omit<Sent<'POST', '/services/trial'>, 'type_id'>,
): Promise<string> {
  if (otherTypeId === undefined) return typeId
  const works = async (type_id: string) => {
    try {
      const lines = readLines('/services/trial', { ...definition, type_id }, new AbortController().signal)
      for await (const line of lines) if ('verdict' in line) return line.verdict === 'ok'
      return false
    } catch {
      // Too many trials in a minute, or no connection: adding the service tells what is wrong.
      return false
    }
  }
  const [isFirst, isOther] = await Promise.all([works(typeId), works(otherTypeId)])
  return isOther && !isFirst ? otherTypeId : typeId
}
