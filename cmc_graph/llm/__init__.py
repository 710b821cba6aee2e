"""The one place that talks to models, and what the rest of the package may know of them.

``chat`` is the port, ``client`` and ``vectors`` the real things behind it: any endpoint that speaks
OpenAI's protocol. ``usage`` counts what calls cost, ``parallel`` makes several at once. This
package must not know what is asked, nor why.
"""
