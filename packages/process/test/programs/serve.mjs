import { createServer } from 'node:http'

// Listens on the socket it was given, or on PORT; answers with what it was told to say.
const { LISTEN_FDS, PORT, WORDS = '' } = process.env
const server = createServer((_request, response) => response.end(WORDS))
server.listen(LISTEN_FDS ? { fd: 3 } : { port: Number(PORT), host: '127.0.0.1' })
