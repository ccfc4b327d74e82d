import { getHeapStatistics } from 'node:v8'
import { CannotStart } from './cannot-start.ts'

const mebibyte = 1_048_576
/** `--max-old-space-size=64` and what node adds to it for young objects: with half of it the program dies while it starts. */
const least = 112 * mebibyte

/** A program that runs out of heap dies in the middle of its work, again and again: better it says so before. */
export function ensureHeap(): void {
  const { heap_size_limit: limit } = getHeapStatistics()
  if (limit >= least) return
  throw new CannotStart(
    `The heap of node may take ${Math.floor(limit / mebibyte)} MiB only, but ${least / mebibyte} are needed; give the machine more memory, or NODE_OPTIONS --max-old-space-size=64 or more.`,
  )
}
