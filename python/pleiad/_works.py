"""What to cite: the program, and the methods that a simulation uses, as BibTeX from one table."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _core

# As CITATION.cff and README.md have it: tests compare the three.
_PROGRAM = {
    "author": "{Pleiad contributors}", "title": "Pleiad: a gravitational {N}-body simulator in {C++20} and {CUDA}",
    "version": _core.version, "year": "2026",
}  # fmt: skip
# Authors, title, journal (or publisher), volume, page, year.
WORKS: dict[str, tuple[str, str, str, str, str, str]] = {
    "Adachi1976": ("Adachi, I. and Hayashi, C. and Nakazawa, K.", "The gas drag effect on the elliptical motion of a solid body in the primordial solar nebula", "Progress of Theoretical Physics", "56", "1756", "1976"),
    "Barnes1986": ("Barnes, J. and Hut, P.", "A hierarchical {O(N log N)} force-calculation algorithm", "Nature", "324", "446", "1986"),
    "Binney2008": ("Binney, J. and Tremaine, S.", "Galactic Dynamics, second edition", "Princeton University Press", "", "", "2008"),
    "Blanchet2014": ("Blanchet, L.", "Gravitational radiation from post-{N}ewtonian sources and inspiralling compact binaries", "Living Reviews in Relativity", "17", "2", "2014"),
    "Blanes2002": ("Blanes, S. and Moan, P. C.", "Practical symplectic partitioned {R}unge-{K}utta and {R}unge-{K}utta-{N}ystr{\\\"o}m methods", "Journal of Computational and Applied Mathematics", "142", "313", "2002"),
    "Bovy2015": ("Bovy, J.", "galpy: A {P}ython library for galactic dynamics", "Astrophysical Journal Supplement Series", "216", "29", "2015"),
    "Burns1979": ("Burns, J. A. and Lamy, P. L. and Soter, S.", "Radiation forces on small particles in the solar system", "Icarus", "40", "1", "1979"),
    "Chandrasekhar1943": ("Chandrasekhar, S.", "Dynamical friction. {I}. {G}eneral considerations: the coefficient of dynamical friction", "Astrophysical Journal", "97", "255", "1943"),
    "Dehnen2014": ("Dehnen, W.", "A fast multipole method for stellar dynamics", "Computational Astrophysics and Cosmology", "1", "1", "2014"),
    "Duncan1998": ("Duncan, M. J. and Levison, H. F. and Lee, M. H.", "A multiple time step symplectic algorithm for integrating close encounters", "Astronomical Journal", "116", "2067", "1998"),
    "Einstein1938": ("Einstein, A. and Infeld, L. and Hoffmann, B.", "The gravitational equations and the problem of motion", "Annals of Mathematics", "39", "65", "1938"),
    "Everhart1985": ("Everhart, E.", "An efficient integrator that uses {G}auss-{R}adau spacings", "Astrophysics and Space Science Library", "115", "185", "1985"),
    "Ewald1921": ("Ewald, P. P.", "Die {B}erechnung optischer und elektrostatischer {G}itterpotentiale", "Annalen der Physik", "369", "253", "1921"),
    "Forest1990": ("Forest, E. and Ruth, R. D.", "Fourth-order symplectic integration", "Physica D", "43", "105", "1990"),
    "Fritsch1980": ("Fritsch, F. N. and Carlson, R. E.", "Monotone piecewise cubic interpolation", "SIAM Journal on Numerical Analysis", "17", "238", "1980"),
    "Greengard1987": ("Greengard, L. and Rokhlin, V.", "A fast algorithm for particle simulations", "Journal of Computational Physics", "73", "325", "1987"),
    "Hairer2006": ("Hairer, E. and Lubich, C. and Wanner, G.", "Geometric Numerical Integration, second edition", "Springer", "", "", "2006"),
    "Hellstrom2010": ("Hellstr{\\\"o}m, C. and Mikkola, S.", "Explicit algorithmic regularization in the few-body problem for velocity-dependent perturbations", "Celestial Mechanics and Dynamical Astronomy", "106", "143", "2010"),
    "Henon1959": ("H{\\'e}non, M.", "L'amas isochrone {I}", "Annales d'Astrophysique", "22", "126", "1959"),
    "Hernquist1990": ("Hernquist, L.", "An analytical model for spherical galaxies and bulges", "Astrophysical Journal", "356", "359", "1990"),
    "Hernquist1991": ("Hernquist, L. and Bouchet, F. R. and Suto, Y.", "Application of the {E}wald method to cosmological {N}-body simulations", "Astrophysical Journal Supplement Series", "75", "231", "1991"),
    "Kahan1997": ("Kahan, W. and Li, R.-C.", "Composition constants for raising the orders of unconventional schemes for ordinary differential equations", "Mathematics of Computation", "66", "1089", "1997"),
    "Kidder1995": ("Kidder, L. E.", "Coalescing binary systems of compact objects to (post)$^{5/2}$-{N}ewtonian order. {V}. {S}pin effects", "Physical Review D", "52", "821", "1995"),
    "Long1992": ("Long, K. and Murali, C.", "Analytical potentials for barred galaxies", "Astrophysical Journal", "397", "44", "1992"),
    "Lu2024": ("Lu, T. and Hernandez, D. M. and Rein, H.", "{TRACE}: a code for time-reversible astrophysical close encounters", "Monthly Notices of the Royal Astronomical Society", "533", "3708", "2024"),
    "Makino1992": ("Makino, J. and Aarseth, S. J.", "On a {H}ermite integrator with {A}hmad-{C}ohen scheme for gravitational many-body problems", "Publications of the Astronomical Society of Japan", "44", "141", "1992"),
    "Mikkola1999": ("Mikkola, S. and Tanikawa, K.", "Algorithmic regularization of the few-body problem", "Monthly Notices of the Royal Astronomical Society", "310", "745", "1999"),
    "Mikkola2006": ("Mikkola, S. and Merritt, D.", "Algorithmic regularization with velocity-dependent forces", "Monthly Notices of the Royal Astronomical Society", "372", "219", "2006"),
    "Miyamoto1975": ("Miyamoto, M. and Nagai, R.", "Three-dimensional models for the distribution of mass in galaxies", "Publications of the Astronomical Society of Japan", "27", "533", "1975"),
    "Monaghan1985": ("Monaghan, J. J. and Lattanzio, J. C.", "A refined particle method for astrophysical problems", "Astronomy and Astrophysics", "149", "135", "1985"),
    "Murray1999": ("Murray, C. D. and Dermott, S. F.", "Solar System Dynamics", "Cambridge University Press", "", "", "1999"),
    "Navarro1997": ("Navarro, J. F. and Frenk, C. S. and White, S. D. M.", "A universal density profile from hierarchical clustering", "Astrophysical Journal", "490", "493", "1997"),
    "Nitadori2008": ("Nitadori, K. and Makino, J.", "Sixth- and eighth-order {H}ermite integrator for {N}-body simulations", "New Astronomy", "13", "498", "2008"),
    "Nobili1986": ("Nobili, A. and Roxburgh, I. W.", "Simulation of general relativistic corrections in long term numerical integrations of planetary orbits", "Symposium of the International Astronomical Union", "114", "105", "1986"),
    "Pelupessy2012": ("Pelupessy, F. I. and J{\\\"a}nes, J. and Portegies Zwart, S.", "{N}-body integrators with individual time steps from hierarchical splitting", "New Astronomy", "17", "711", "2012"),
    "Pham2024": ("Pham, D. and Rein, H. and Spiegel, D. S.", "A new timestep criterion for {N}-body simulations", "Open Journal of Astrophysics", "7", "1", "2024"),
    "Plummer1911": ("Plummer, H. C.", "On the problem of distribution in globular star clusters", "Monthly Notices of the Royal Astronomical Society", "71", "460", "1911"),
    "PriceWhelan2017": ("Price-Whelan, A. M.", "Gala: A {P}ython package for galactic dynamics", "Journal of Open Source Software", "2", "388", "2017"),
    "Rein2015": ("Rein, H. and Spiegel, D. S.", "{IAS15}: a fast, adaptive, high-order integrator for gravitational dynamics, accurate to machine precision over a billion orbits", "Monthly Notices of the Royal Astronomical Society", "446", "1424", "2015"),
    "Smith2015": ("Smith, R. and Flynn, C. and Candlish, G. N. and Fellhauer, M. and Gibson, B. K.", "Simple and accurate modelling of the gravitational potential produced by thick and thin exponential discs", "Monthly Notices of the Royal Astronomical Society", "448", "2934", "2015"),
    "Springel2005": ("Springel, V.", "The cosmological simulation code {GADGET-2}", "Monthly Notices of the Royal Astronomical Society", "364", "1105", "2005"),
    "Springel2021": ("Springel, V. and Pakmor, R. and Zier, O. and Reinecke, M.", "Simulating cosmic structure formation with the {GADGET-4} code", "Monthly Notices of the Royal Astronomical Society", "506", "2871", "2021"),
    "Verlet1967": ("Verlet, L.", "Computer ``experiments'' on classical fluids. {I}. {T}hermodynamical properties of {L}ennard-{J}ones molecules", "Physical Review", "159", "98", "1967"),
    "Wisdom1991": ("Wisdom, J. and Holman, M.", "Symplectic maps for the {N}-body problem", "Astronomical Journal", "102", "1528", "1991"),
    "Yoshida1990": ("Yoshida, H.", "Construction of higher order symplectic integrators", "Physics Letters A", "150", "262", "1990"),
}  # fmt: skip
#: The works of each method. What is not here has none: direct sums, the potential of a point.
OF: dict[str, dict[str, tuple[str, ...]]] = {
    "integrator": {
        "euler": ("Hairer2006",), "kdk": ("Verlet1967",), "dkd": ("Verlet1967",), "forest-ruth": ("Forest1990", "Yoshida1990"),
        "blanes-moan4": ("Blanes2002",), "yoshida6": ("Yoshida1990",), "kahan-li8": ("Kahan1997",), "hermite4": ("Makino1992",), "hermite4-block": ("Makino1992",), "hermite6": ("Nitadori2008",),
        "gauss-radau": ("Everhart1985", "Rein2015", "Pham2024"), "ar-chain": ("Mikkola1999", "Mikkola2006"),
        "wisdom-holman": ("Wisdom1991", "Duncan1998"), "wisdom-holman-jacobi": ("Wisdom1991",),
        "wisdom-holman-hybrid": ("Duncan1998", "Lu2024"),
        "block-kdk": ("Pelupessy2012", "Springel2021"),
    },
    "solver": {"barnes-hut": ("Barnes1986",), "fmm": ("Greengard1987", "Dehnen2014")},
    "softening": {"plummer": ("Plummer1911",), "spline": ("Monaghan1985", "Springel2005")},
    "images": {"all": ("Ewald1921", "Hernquist1991")},
    "potential": {
        "bar": ("Long1992",), "exponential-disc": ("Smith2015",), "hernquist": ("Hernquist1990",), "hill": ("Binney2008",),
        "isochrone": ("Henon1959",), "logarithmic": ("Binney2008",), "milky-way": ("PriceWhelan2017", "Bovy2015"),
        "miyamoto-nagai": ("Miyamoto1975",), "nfw": ("Navarro1997",), "plummer": ("Plummer1911",),
        "table": ("Fritsch1980",),
    },
    "force": {
        "dynamical-friction": ("Chandrasekhar1943", "Binney2008"), "gas-drag": ("Adachi1976",), "gr-potential": ("Nobili1986",),
        "oblate": ("Murray1999",), "poynting-robertson": ("Burns1979",), "post-newtonian": ("Einstein1938",),
        "post-newtonian-pairs": ("Kidder1995", "Blanchet2014", "Hellstrom2010"), "radiation": ("Burns1979",),
    },
}  # fmt: skip


class Citation(str):
    """BibTeX, which a notebook shows line by line."""

    __slots__ = ()
    __repr__ = str.__str__


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{key},\n{lines}\n}}"


def _work(key: str) -> str:
    author, title, where, volume, page, year = WORKS[key]
    if not volume:
        return _entry("book", key, {"author": author, "title": title, "publisher": where, "year": year})
    named = {"author": author, "title": title, "journal": where, "volume": volume, "pages": page, "year": year}
    return _entry("article", key, named)


def cite_program() -> str:
    return Citation(_entry("software", "pleiad", _PROGRAM))


def cite_methods(how: Mapping[str, Any]) -> str:
    """The program, and the works of the methods in this description of a simulation, each after a line that says why."""
    used = [("integrator", how["integrator"])]
    solver = str(how["kernel"]).partition(" ")[0].rpartition("/")[2]
    used.append(("solver", solver))
    if how["softening"] > 0:
        used.append(("softening", how["softening_kernel"]))
    if how["images"]:
        used.append(("images", how["images"]))
    used += [("potential", text.split()[0]) for text in how["potentials"]]
    used += [("force", text.split()[0]) for text in how["forces"]]
    why: dict[str, list[str]] = {}
    for kind, name in used:
        for key in OF[kind].get(name, ()):
            words = f"{kind} {name}"
            if words not in why.setdefault(key, []):
                why[key].append(words)
    works = [f"% {', '.join(words)}\n{_work(key)}" for key, words in why.items()]
    return Citation("\n\n".join([cite_program(), *works]))
