"""A lock management protocol in the spirit of the BeoLink system (paper 0, section 6): our own timed net.

Devices of a home share audio and video services; whoever uses one must hold the *key*. When the system starts there is
no key: it was lost. A device that has started asks for the key and asks again when nothing comes within `TIMEOUT`. One
device is the master: a video master makes a new key as soon as it is asked; an audio master first enquires whether
there is a video master, and makes the key when nobody answers. What reaches a master that has not started yet is lost.
Afterwards the key is passed on to whoever asks, and each device uses it once.

    sweepcheck check examples/beolink.py -p devices=4 -p master=video

The industrial model was never published, so only the idea and the shape of the table can be compared: time is the
measure of progress, and the clock is declared nowhere.
"""

from sweepcheck import Net, colours

LATENCY = 1  # of a message
TIMEOUT = 4  # of a request for the key
ENQUIRY = 3  # how long an audio master waits for a video master to answer
MAKING = 2  # a new key
USING = 3  # a service


def beolink(devices=3, master="video", spread=2):
    """`devices` devices, of which number 0 is the master; each starts within `spread` units of time."""
    if master not in ("audio", "video"):
        raise ValueError(f"a master is 'audio' or 'video', not {master!r}")
    net = Net("BeoLink", LATENCY=LATENCY, TIMEOUT=TIMEOUT, ENQUIRY=ENQUIRY, MAKING=MAKING, USING=USING)
    device, timed = range(devices), colours.timed

    off = net.place("Off", device, range(devices))
    starting = net.place("Starting", timed(device))
    idle = net.place("Idle", device)
    waiting = net.place("Waiting", device)
    timers = net.place("Timers", timed(device))
    requests = net.place("Requests", timed(device))
    grants = net.place("Grants", timed(device))
    using = net.place("Using", timed(device))
    done = net.place("Done", device)
    master_ = net.place("Master", {"off", "ready", "busy"}, ["off"])
    work = net.place("Work", timed({"enquiry", "key"}))  # of the master
    key = net.place("Key", {"lost", "free", "held"}, ["lost"])

    net.transition("SwitchOn", off.take("d"), starting.put("d @+ t"), free={"t": range(spread)})
    net.transition("StartMaster", starting.take("0"), master_.take("'off'"), master_.put("'ready'"), idle.put("0"))
    net.transition("Start", starting.take("d"), idle.put("d"), guard="d != 0")
    net.transition(
        "Request", idle.take("d"), waiting.put("d"), timers.put("d @+ TIMEOUT"), requests.put("d @+ LATENCY")
    )
    net.transition("TimeOut", timers.take("d"), waiting.take("d"), idle.put("d"))
    net.transition("StopTimer", timers.take("d"), waiting.inhibit("d"))

    net.transition("LoseRequest", requests.take("d"), master_.test("'off'"))
    asked = [requests.take("d"), master_.take("'ready'"), master_.put("'busy'")]
    if master == "video":
        net.transition("MakeKey", *asked, work.put("'key' @+ MAKING"))
    else:
        net.transition("Enquire", *asked, work.put("'enquiry' @+ ENQUIRY"))
        net.transition("NoAnswer", work.take("'enquiry'"), work.put("'key' @+ MAKING"))
    net.transition("NewKey", work.take("'key'"), key.take("'lost'"), key.put("'free'"))
    net.transition("Refuse", requests.take("d"), master_.test("'busy'"), key.test("k"), guard="k != 'free'")
    granted = [key.take("'free'"), key.put("'held'"), grants.put("d @+ LATENCY")]
    net.transition("Grant", requests.take("d"), waiting.take("d"), *granted)
    net.transition("Ignore", requests.take("d"), waiting.inhibit("d"), key.test("'free'"))
    net.transition("Use", grants.take("d"), using.put("d @+ USING"))
    net.transition("Release", using.take("d"), done.put("d"), key.take("'held'"), key.put("'free'"))

    net.always_eventually("a key is made", lambda m: m.Key.token != "lost")
    net.invariant("one at a time", lambda m: len(m.Using) <= 1)
    net.always_possible("everybody is served", lambda m: len(m.Done) == devices)
    return net
