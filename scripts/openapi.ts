// Writes docs/openapi.json from the declarations, without a database; --check only compares.
import { interfaceDescription } from '../src/program/interface-description.ts'
import { keepGenerated } from './generated.ts'

keepGenerated('openapi.json', `${JSON.stringify(interfaceDescription(), null, 2)}\n`, 'npm run openapi')
