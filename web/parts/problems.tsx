import { createContext, type ReactNode, useContext } from 'react'
import type { Problem } from '../api/client.ts'

const ProblemsContext = createContext<readonly Problem[]>([])

/** Whether a problem lies in a member of the request, or in a part of it. */
export function isAt(problem: Problem, name: string): boolean {
  const at = problem.field?.replace(/^data\./, '') ?? ''
  return at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}[`)
}

interface ProblemsProps {
  readonly problems: readonly Problem[]
  readonly children: ReactNode
}

/** Tells the fields below what the API refused. */
export function Problems({ problems, children }: ProblemsProps) {
  return <ProblemsContext value={problems}>{children}</ProblemsContext>
}

/** The API's problems with one field of the request's body; none with a field that has no name there. */
export function useProblemsAt(name: string | undefined): readonly Problem[] {
  return useContext(ProblemsContext).filter((problem) => name !== undefined && isAt(problem, name))
}
