// Writes docs/configuration.schema.json from the declarations; --check only compares.
import { modelOf } from '../src/configuration/model.ts'
import { configurationSchema } from '../src/configuration/schema.ts'
import { declaredResources } from '../src/program/interface-description.ts'
import { keepGenerated } from './generated.ts'

keepGenerated(
  'configuration.schema.json',
  `${JSON.stringify(configurationSchema(modelOf(declaredResources())), null, 2)}\n`,
  'npm run docs',
)
