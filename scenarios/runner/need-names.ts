/** Needs of a scenario. A target that cannot meet one does not run the scenario, and reports the need. */
export const NEEDS = {
  config: 'its own configuration of the service',
  profile: 'a chosen profile of the device',
  fresh: 'a new device',
  articles: 'articles programmed from outside',
  clock: "the device's clock moved from outside",
  hands: 'manual actions on the device: paper, cover, power',
  cable: 'the cable to the device pulled and put back',
  displayCable: 'the display plugged in and out',
  faults: 'faults on command, on the line and inside the device',
  linkFaults: 'faults on command, on the line alone',
  snapshot: 'a snapshot put into the device',
  paper: 'the printed paper read back',
  journal: 'the electronic journal read back',
  state: "the device's own counters, totals and archive read back",
  display: 'the display read back',
  frames: 'the frames on the wire read back',
  platform: 'the mock platform',
  restart: 'a restart of the service on the same device',
  wire: 'bytes that the scenario sends on a line to the device',
} as const
export type Need = keyof typeof NEEDS
export const NEED_NAMES = Object.keys(NEEDS) as [Need, ...Need[]]
