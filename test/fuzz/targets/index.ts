import type { FuzzTarget } from '../search.ts'
import { drivers } from './answers.ts'
import { files } from './files.ts'
import { servers } from './http.ts'
import { texts } from './texts.ts'
import { wires } from './wires.ts'

export const TARGETS: readonly FuzzTarget[] = [...texts, ...files, ...wires, ...drivers, ...servers]
