/** Programs that expect the class of serialport 13 accept the class of a printer in their tests. */
import { type Printer, startPrinter } from 'fiscal-rig'
import { SerialPort } from 'serialport'

/** Such a program receives the class, not an instance. */
export class Till {
  readonly port: SerialPort
  constructor(SerialPortClass: typeof SerialPort, path: string) {
    this.port = new SerialPortClass({ path, baudRate: 9600, parity: 'none' })
    // @ts-expect-error the types of serialport contain no such parity
    void new SerialPortClass({ path, baudRate: 9600, parity: 'nothing' })
  }
}

export async function use(printer: Printer): Promise<void> {
  void new Till(SerialPort, '/dev/ttyUSB0')
  void new Till(printer.SerialPort, printer.path)
  const port: SerialPort = new printer.SerialPort({ path: printer.path, baudRate: 9600 })
  class Own extends printer.SerialPort {}
  const own: SerialPort = new Own({ path: printer.path, baudRate: 9600 })
  // @ts-expect-error the class is not any
  void [port, own, printer.SerialPort.nothing]
  // @ts-expect-error another class is not the class of serialport
  void new Till(Map, (await startPrinter({ family: 'A' })).path)
}
