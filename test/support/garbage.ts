import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gather = runInNewContext('gc') as () => void

/** Frees everything that nobody refers to, so that what is still there can be measured. */
export function gatherGarbage(): void {
  gather()
}
