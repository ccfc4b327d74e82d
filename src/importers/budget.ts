import { FaultyConfiguration } from '../configuration/fault.ts'

/** More objects are no configuration; an export of a few lines could make any number of them. */
const mostObjects = 100_000
const mostSteps = 20_000_000

/** The bounds of an import that the size of its files does not give. */
export class Budget {
  private objects = 0
  private steps = 0

  object(): void {
    this.objects += 1
    if (this.objects > mostObjects)
      throw refused(`A configuration has at most ${mostObjects} objects, and the export has or makes more of them.`)
  }

  /** Work that grows with how often parts of an export name each other: their numbers multiplied. */
  step(count: number): void {
    this.steps += count
    if (this.steps > mostSteps) throw refused('The parts of the export name each other too often.')
  }
}

function refused(message: string): FaultyConfiguration {
  return new FaultyConfiguration([{ place: null, pointer: '', message }])
}
