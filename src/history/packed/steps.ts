import type { PackedAnalysis } from './analysis.ts'
import type { Steps } from './analysis-columns.ts'
import type { ColumnReader, ColumnWriter } from './columns.ts'
import { once } from './once.ts'

/** Writes step times as columns: for each sensor and step, one analysis after the other. */
export function putSteps(writer: ColumnWriter, analyses: readonly PackedAnalysis[]): void {
  writer.put(analyses.map(({ stepSetId }) => (stepSetId === null ? 0 : stepSetId + 1)))
  const lists = analyses.map(({ stepTimes }) => stepTimes ?? [])
  writer.put(lists.map((list) => list.length))
  const longest = longestOf(lists.map((list) => list.length))
  for (let place = 0; place < longest; place++) {
    writer.putSigned(lists.filter((list) => list.length > place).map((list) => list[place] ?? 0))
  }
}

function longestOf(lengths: readonly number[] | Float64Array): number {
  let longest = 0
  for (const length of lengths) longest = Math.max(longest, length)
  return longest
}

function takeSteps(reader: ColumnReader, count: number): Steps[] {
  const setIds = reader.take(count)
  const lengths = reader.take(count)
  const lists = Array.from(lengths, (): number[] => [])
  const longest = longestOf(lengths)
  for (let place = 0; place < longest; place++) {
    const taking = lists.filter((_list, index) => (lengths[index] ?? 0) > place)
    for (const [index, time] of reader.takeSigned(taking.length).entries()) taking[index]?.push(time)
  }
  return lists.map((stepTimes, index) => {
    const setId = setIds[index] ?? 0
    return { stepSetId: setId === 0 ? null : setId - 1, stepTimes: stepTimes.length === 0 ? null : stepTimes }
  })
}

/** Continues after the steps, which are read when they are needed. */
export function laterSteps(reader: ColumnReader, count: number): () => readonly Steps[] {
  const own = reader.fork()
  reader.skip(count)
  const lengths = reader.take(count)
  const longest = longestOf(lengths)
  for (let place = 0; place < longest; place++) reader.skip(lengths.filter((length) => length > place).length)
  return once(() => takeSteps(own, count))
}
