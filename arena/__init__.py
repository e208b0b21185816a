"""Arena: a tournament runner for card-game bots.

Glossary
--------
game        the rules, such as 13 Leaves
deal        one play of the rules, from shuffled cards to penalties
match       deals at one table with the same seats, until the game's match rule ends it
fixture     a match that has not been played yet
composition the bots that meet at one table, whatever their seats
block       the fixtures of one composition that share the same deals, one for each rotation;
            the independent unit of all statistics
rotation    one cyclic seating of a block's base order
seat        a place at the table: 0, 1, 2, ... clockwise
entrant     a bot in a league
version     the files of a bot, told by their fingerprint; a new one plays its fixtures anew
identity    of a bot in a run: its name, or for a later version name/fingerprint
stage       a part of a run with the same bots and options of the format
decision    one question to one seat
penalty     points against a seat; fewer is better
place       the finishing position in a match; 1 is best, equal totals share a place
share       of a match: over the other seats, 1 for each one finished ahead of and ½ for each tie,
            divided by their number
group       bots of which no two are separated: their shares differ by no more than chance may give
rating      a figure for a bot's strength, fitted to all matches at once, on the Elo scale
fault       what a bot did wrong
forfeit     what a fault costs: the house plays on for the seat, and the bot is placed last
house move  what the arena plays for a seat that is at fault
off turn    while a bot is in a match and not asked
lag         what the arena itself adds to a decision: its work before it, its waits for a processor
noise floor by how much a decision may look longer than it was, as arena calibrate has found
void        the arena's own failure: the match is played again under the same id
journal     the SQLite file of a run, the only truth about it
run         a league being played, or played, in a folder of its own
"""

__version__ = "0.1.0"
