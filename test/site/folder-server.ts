import { readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.json': 'application/json',
}

export const BELOW = '/shop/printer/'

export const folderServer = (folder: string): Server =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.startsWith(BELOW) ? pathname.slice(BELOW.length) || 'index.html' : ''
    const path = join(folder, name.endsWith('/') ? `${name}index.html` : name)
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
    if (!isFile) return response.writeHead(404).end()
    return response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' }).end(readFileSync(path))
  })
