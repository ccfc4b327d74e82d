import type { Schemas } from '../api/answers.ts'
import { useFormat } from '../reader.tsx'
import { useWords } from '../words/words.ts'
import { packageWords } from './package-words.ts'
import { useTypeNames } from './terms.ts'

type Package = Schemas['packages']

/** Which types of services a package has, and how many and how often of each. */
export function TypeLimits({ types }: { readonly types: Package['available_service_types'] }) {
  const words = useWords(packageWords)
  const format = useFormat()
  const nameOf = useTypeNames()
  return (
    <ul className="sentences">
      {types.map(({ service_type_id, maximum_services, minimum_interval }) => (
        <li key={service_type_id}>
          {[
            nameOf(service_type_id),
            ...(maximum_services === null ? [] : [words.upTo(format.number(maximum_services))]),
            ...(minimum_interval === null ? [] : [words.every(format.duration(minimum_interval))]),
          ].join(', ')}
        </li>
      ))}
    </ul>
  )
}
