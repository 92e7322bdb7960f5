import { chosen, show } from './theme.ts'

show(chosen())
