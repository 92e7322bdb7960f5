import { chosenTheme, show } from './theme.ts'

show(chosenTheme())
