"""Verifies exports of `fiscal-rig memory export` by the guide's page "The fiscal memory" alone: FILE..."""
import hashlib, json, sys
def seal(*parts):
    return hashlib.sha256("\n".join(str(part) for part in parts).encode()).hexdigest()
def document_seal(before, row, chain):
    numbers = row["document"], row["kind"], row["kindNumber"], int(row["reversal"]), row["at"], row["z"]
    return seal(before, *numbers, chain, row["memory"] or "", row["cash"] or "", row["receipt"] or "")
def tax(gross, rate):
    return 0 if rate is None else (2 * gross * rate + 10000 + rate) // (2 * (10000 + rate))

def z_of(documents, family, rates, groups):
    """What the receipts and cash movements of a day come to."""
    sold, back, paid, total, drawer, numbers, moved = [0] * 8, [0] * 8, {}, 0, 0, [], {"in": 0, "out": 0}
    for row in documents:
        receipt, cash = json.loads(row["receipt"] or "null"), json.loads(row["cash"] or "null")
        if cash and cash["mode"] == 0:
            moved[cash["direction"]] += cash["amount"]
        if receipt and (row["kind"] != "cancelled" or family == "B"):
            numbers.append(row["document"])
        if not receipt or row["kind"] == "cancelled":
            continue
        sums, sign = (back, -1) if receipt["kind"] == "reversal" else (sold, 1)
        sums[:] = [one + other for one, other in zip(sums, receipt["groups"])]
        total += receipt["total"] if sign == 1 else 0
        for one in receipt["payments"]:
            for mode, amount in (one["mode"], one["tendered"]), (one.get("changeMode", 0), -one["change"]):
                drawer += sign * amount if mode == 0 else 0
                paid[str(mode)] = paid.get(str(mode), 0) + (amount if sign == 1 else 0)
    taxes = [(sold[g], tax(sold[g], rates[g]), back[g], tax(back[g], rates[g]), rates[g]) for g in range(groups)]
    drawer += moved["in"] - moved["out"]
    ends = numbers[0] if numbers else None, numbers[-1] if numbers else None
    return [len(numbers), *ends, total, taxes, {m: a for m, a in paid.items() if a}, moved["in"], moved["out"], drawer]

def verify(rows):
    device, by = rows[0], lambda kind: [row for row in rows if row["type"] == kind]
    records, documents, lines, chain, before, chains = by("record"), by("document"), by("line"), "", "", {}
    for row in lines:
        chain = chains[row["document"]] = seal(chain, row["document"], row["line"])
    for row in documents:
        if document_seal(before, row, chains.get(row["document"], "")) != row["seal"]: yield f"document {row['document']}"
        before = row["seal"]
    if (before, chain) != (device["journalSeal"], device["chain"]): yield "the end of the journal"
    before, rates, start, number = "", None, 0, 0
    for row in records:
        own, event = seal(before, row["id"], row["document"], row["journal"], row["body"]), json.loads(row["body"])
        if row["id"] != number + 1 or own != row["seal"]: yield f"record {number + 1}"
        number, before, rates, z = row["id"], row["seal"], event.get("rates", rates), event.get("z")
        if z:
            day = [one for one in documents if start < one["document"] <= row["document"]]
            taxes = [tuple(t[name] for name in ("turnover", "tax", "reversal", "reversalTax", "rate")) for t in z["taxes"]]
            names = "receiptsCount", "firstReceipt", "lastReceipt", "total"
            paid = {mode: amount for mode, amount in z["payments"].items() if amount}
            stored = [z[name] for name in names] + [taxes, paid, z["cashIn"], z["cashOut"], z["drawerCash"]]
            if stored != z_of(day, device["family"], rates, len(taxes)): yield f"record {row['id']}"
        if z or event["kind"] == "ramReset" or event.get("act") == "reset": start = row["document"] + (1 if z else 0)
    if before != device["memorySeal"]: yield "the end of the memory"
for path in sys.argv[1:]:
    try: print(json.dumps(list(dict.fromkeys(verify([json.loads(line) for line in open(path, encoding="utf-8")])))))
    except Exception as problem: print(json.dumps([f"cannot be read: {problem!r}"]))
